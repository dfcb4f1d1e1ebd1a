import { statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** What the settings depend on. Sizes are in megabytes. */
export interface Machine {
  memoryMb: number;
  freeDiskMb: number;
  cores: number;
  /** Size of /dev/shm, where parallel queries share memory. 0 if there is none. */
  sharedMemoryMb: number;
}

const mb = 1024 * 1024;
const clamp = (value: number, least: number, most: number) =>
  Math.round(Math.min(most, Math.max(least, value)));

/** Measures this machine, or the container's share of it. `path` is where the database will be. */
export function measureMachine(path: string): Machine {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 && limit < totalmem() ? limit : totalmem();
  const sizes = statfsSync(path);
  return {
    memoryMb: bytes / mb,
    freeDiskMb: (sizes.bavail * sizes.bsize) / mb,
    cores: availableParallelism(),
    sharedMemoryMb: sizeOfSharedMemory(),
  };
}

function sizeOfSharedMemory(): number {
  try {
    const sizes = statfsSync('/dev/shm');
    return (sizes.blocks * sizes.bsize) / mb;
  } catch {
    return 0; // macOS has no /dev/shm and does not need one
  }
}

/**
 * PostgreSQL's settings for one machine that runs the whole product: about a sixth of the memory
 * for its buffers, room for bulk loads between checkpoints, and quick autovacuum after them. Every
 * commit is flushed to disk.
 */
export function postgresSettings(machine: Machine): Record<string, string> {
  const { memoryMb, freeDiskMb, cores } = machine;
  const maxWalMb = clamp(freeDiskMb / 10, 512, 8192);
  return {
    shared_buffers: `${clamp(memoryMb / 6, 64, 4096)}MB`,
    effective_cache_size: `${clamp(memoryMb / 2, 128, 1024 * 1024)}MB`,
    work_mem: memoryMb < 4096 ? '16MB' : '64MB',
    maintenance_work_mem: `${clamp(memoryMb / 16, 64, 1024)}MB`,
    autovacuum_work_mem: `${clamp(memoryMb / 32, 64, 512)}MB`,
    // Docker gives containers 64 MB of /dev/shm. A parallel hash join outgrows that and fails.
    dynamic_shared_memory_type: machine.sharedMemoryMb > 0 && machine.sharedMemoryMb < 512 ? 'mmap' : 'posix',
    wal_buffers: memoryMb < 4096 ? '16MB' : '64MB',
    max_wal_size: `${maxWalMb}MB`,
    min_wal_size: `${clamp(maxWalMb / 8, 80, 1024)}MB`,
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    // This build of PostgreSQL has no lz4, and pglz costs more processor time than it saves disk.
    wal_compression: 'off',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    random_page_cost: '1.1',
    jit: 'off',
    max_connections: '100',
    max_parallel_workers: String(clamp(cores, 2, 8)),
    max_parallel_workers_per_gather: String(clamp(cores / 2, 1, 4)),
    max_parallel_maintenance_workers: String(clamp(cores / 2, 1, 4)),
    autovacuum_naptime: '20s',
    autovacuum_vacuum_cost_limit: '2000',
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    // The log must not hold people's addresses, so it shows neither statements nor the DETAIL line
    // with a row's values.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    lc_messages: 'C',
    default_text_search_config: 'pg_catalog.simple',
  };
}
