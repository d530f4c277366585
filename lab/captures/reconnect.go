package main

// reconnect is a client whose connection ends before it has the reply to an RMDIR: it connects anew, and
// sends the call again. The wait is for a server to have carried it out by then.
const reconnect = `connect client=4096/4096,inv server=4096/4096
call 1 NFS3 NULL
reply 1
call 2 NFS3 MKDIR dir="root" name="once"
reply 2
call 3 NFS3 RMDIR dir="root" name="once"
wait 300ms
disconnect
connect client=4096/4096,inv server=4096/4096
call 3 again
reply 3
disconnect
`
