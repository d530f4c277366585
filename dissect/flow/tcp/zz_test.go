package tcp
import ("testing";"reflect")
func TestZZ(t *testing.T){
 for _,x:=range []any{side{},tcpConn{}} { ty:=reflect.TypeOf(x); t.Logf("== %s %d",ty,ty.Size()); for i:=0;i<ty.NumField();i++{ f:=ty.Field(i); if f.Type.Size()>=32{t.Logf("  %s %s %d",f.Name,f.Type,f.Type.Size())}} }
 ty:=reflect.TypeOf(side{}.framer); for i:=0;i<ty.NumField();i++{ f:=ty.Field(i); if f.Type.Size()>=24{t.Logf("  framer %s %s %d",f.Name,f.Type,f.Type.Size())}}
 ty=reflect.TypeOf(side{}.stream); for i:=0;i<ty.NumField();i++{ f:=ty.Field(i); if f.Type.Size()>=24{t.Logf("  stream %s %s %d",f.Name,f.Type,f.Type.Size())}}
}
