// Command thirdparty writes THIRD-PARTY: whose code a released program contains, under which
// licence, and the text of each licence. It is run by make gen, as
//
//	go run ./internal/thirdparty BOM ROOT
//
// BOM is a list of modules with their licences, which cyclonedx-gomod mod -json -licenses writes,
// and ROOT the folder of the module. Which modules are linked is asked of go list, for each
// system that there are releases for. Texts come from the module cache, from Go itself, and from
// ROOT/report/page/web/node_modules, for the packages of the report's page.
package main
