import type { LookUpHost } from '../src/node/web/web.ts'

/** A fake DNS: each lookup of a name returns its next answer; the last one is repeated. */
export function fakeLookUp(
  answers: Readonly<Record<string, readonly (readonly string[])[]>>,
): LookUpHost {
  const asked = new Map<string, number>()
  return (host) => {
    const all = answers[host]
    const time = asked.get(host) ?? 0
    asked.set(host, time + 1)
    if (all) return Promise.resolve(all[Math.min(time, all.length - 1)]!)
    return Promise.reject(
      Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }),
    )
  }
}
