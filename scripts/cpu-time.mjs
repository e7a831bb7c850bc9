import { readFileSync } from 'node:fs'

/** Clock ticks, which Linux counts in, per second. */
const TICKS = 100

/**
 * The CPU time of this process, and on Linux of the processes that it started and that have ended.
 *
 * @returns {number} in seconds
 */
export function cpuTime() {
  const { user, system } = process.cpuUsage()
  if (process.platform !== 'linux') return (user + system) / 1e6
  // After the name of the program, which may contain anything.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

/** How long a fixed piece of work takes on the machine that the budgets in tests/budgets.json were measured on, in seconds. */
const USUAL = 0.4

/** How many times slower this machine is now than that one; 1 if it is faster. */
export function slowness() {
  const began = cpuTime()
  const { user: before } = process.cpuUsage()
  let text = JSON.stringify({ began, list: Array.from({ length: 20_000 }, (_, at) => ({ at })) })
  for (let round = 0; round < 120; round++) text = JSON.stringify(JSON.parse(text))
  return Math.max(1, (process.cpuUsage().user - before) / 1e6 / USUAL)
}
