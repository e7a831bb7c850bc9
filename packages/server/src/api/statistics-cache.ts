import type { JournalStatisticsOptions, RunStatistics } from '@toolglot/agent/journal'
import { BoundedMap } from '../anywhere/bounded-map.ts'

/** Keeps the figures of runs, so that not all are counted again for every request. */
export type StatisticsCache = NonNullable<JournalStatisticsOptions['cache']>

/** Creates a cache for the figures of runs. */
export function createStatisticsCache(): StatisticsCache {
  const kept = new BoundedMap<RunStatistics>(MAX_KEPT)
  return {
    get: (key) => kept.get(key),
    set: (key, statistics) => kept.set(key, statistics, JSON.stringify(statistics).length),
  }
}

/** In characters: several thousand runs. */
const MAX_KEPT = 16 << 20
