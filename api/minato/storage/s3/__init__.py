"""The S3 protocol at `/s3`: path style, Signature Version 4, XML; the same objects, rows and policies underneath."""
