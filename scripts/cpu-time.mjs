import { readFileSync } from 'node:fs'

/** The clock ticks per second used by Linux. */
const TICKS = 100

/**
 * The CPU time of this process and, on Linux, of its child processes that have ended.
 *
 * @returns {number} in seconds
 */
export function cpuTime() {
  const { user, system } = process.cpuUsage()
  if (process.platform !== 'linux') return (user + system) / 1e6
  // After the name of the program, which may contain any characters.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

/**
 * The time for a fixed piece of work on the machine of the budgets in tests/budgets.json, in
 * seconds.
 */
const USUAL = 0.4

/** The current slowdown of this machine, compared with the reference machine; 1 if it is faster. */
export function slowness() {
  const began = cpuTime()
  const { user: before } = process.cpuUsage()
  let text = JSON.stringify({ began, list: Array.from({ length: 20_000 }, (_, at) => ({ at })) })
  for (let round = 0; round < 120; round++) text = JSON.stringify(JSON.parse(text))
  return Math.max(1, (process.cpuUsage().user - before) / 1e6 / USUAL)
}
