// Loaded into n8n before n8n itself: a parent that was killed cannot stop its n8n any more, but the
// channel to it closes, and then n8n ends by itself instead of running on unseen.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Waiting for that must not keep alive an n8n that is done.
process.channel?.unref();
