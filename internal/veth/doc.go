// Package veth makes network interfaces for tests, on Linux.
package veth
