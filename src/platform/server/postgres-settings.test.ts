import { describe, expect, it } from 'vitest';
import { postgresSettings } from './postgres-settings.ts';

const machine = { memoryMb: 16_384, freeDiskMb: 500_000, cores: 8, sharedMemoryMb: 8192 };

describe('postgresSettings', () => {
  it('gives the buffers a sixth of the memory, at most 4 GB', () => {
    expect(postgresSettings(machine).shared_buffers).toBe('2731MB');
    expect(postgresSettings({ ...machine, memoryMb: 256 * 1024 }).shared_buffers).toBe('4096MB');
    expect(postgresSettings({ ...machine, memoryMb: 256 }).shared_buffers).toBe('64MB');
  });

  it('never lets the write-ahead log take more than a tenth of the free disk, above its least size', () => {
    expect(postgresSettings(machine).max_wal_size).toBe('8192MB');
    expect(postgresSettings({ ...machine, freeDiskMb: 20_000 }).max_wal_size).toBe('2000MB');
    expect(postgresSettings({ ...machine, freeDiskMb: 100 }).max_wal_size).toBe('512MB');
  });

  it('shares memory through files where /dev/shm is as small as in a container', () => {
    expect(postgresSettings(machine).dynamic_shared_memory_type).toBe('posix');
    expect(postgresSettings({ ...machine, sharedMemoryMb: 64 }).dynamic_shared_memory_type).toBe('mmap');
  });

  it('keeps every commit durable on every machine', () => {
    for (const memoryMb of [256, 4096, 65_536]) {
      const settings = postgresSettings({ ...machine, memoryMb });
      expect(settings).toMatchObject({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' });
    }
  });
});
