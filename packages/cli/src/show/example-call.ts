import { printCalls, type Protocol } from '@toolglot/core'

/** The same call in any protocol, for comparison. */
export function exampleCall(protocol: Protocol): string {
  return printCalls(protocol, [{ name: 'get_weather', args: { city: 'Hanoi', days: 3 } }]).trim()
}
