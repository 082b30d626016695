-- The MAC of the creator never changes, and stays out of the change history like the key.
CALL "enable_audit_log"('subscriptions', 'SUBSCRIPTION', 'id', '{key,check_at,creator_hash}', '{"email": "PERSONAL", "name": "PERSONAL"}');
