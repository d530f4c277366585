// Package inbrowser holds the tests that look at the HTML report in a Chromium: what its
// script draws, what keys and links do, what a stranger's text cannot do.
//
//	capture ──rdmacap report──> page ──Chromium──> what a person sees
//
// The program is built once, and run for each page. Where there is no Chromium the tests
// are skipped, and say so.
package inbrowser
