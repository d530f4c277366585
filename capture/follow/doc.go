// Package follow reads captures while another program writes them: a file that
// grows, as of tcpdump -U -w, and a directory of files of which one follows the other,
// as of dumpcap -b or tcpdump -C.
package follow
