import { median } from '../timing.mjs'

/**
 * Work that is timed alternately with other work.
 *
 * @param {() => Promise<void>} work
 */
export function lane(work) {
  /** @type {{ ms: number, cpu: number }[]} */
  const times = []
  return {
    times,
    async sample() {
      const [began, used] = [performance.now(), process.cpuUsage()]
      await work()
      const { user, system } = process.cpuUsage(used)
      return { ms: performance.now() - began, cpu: (user + system) / 1000 }
    },
    /** @param {'ms' | 'cpu'} what */
    median: (what) => median(times.map((time) => time[what])),
  }
}

/**
 * Times each lane in every round, after one round to warm up.
 *
 * @param {ReturnType<typeof lane>[]} lanes
 * @param {number} rounds
 */
export async function measureLanes(lanes, rounds) {
  for (const each of lanes) await each.sample()
  for (let round = 0; round < rounds; round++)
    for (const each of lanes) each.times.push(await each.sample())
}
