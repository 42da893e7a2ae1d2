"""What S3 clients speak: signatures of requests and of chunks, XML, refusals, and the body that comes of it."""
