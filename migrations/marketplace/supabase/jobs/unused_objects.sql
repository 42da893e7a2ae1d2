select bucket_id, version from private.take_unused_objects(:most)
