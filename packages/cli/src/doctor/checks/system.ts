import type { Check } from '../check.ts'

const OLDEST = 20

export const system: Check = {
  name: 'Node',
  look() {
    const { version, platform, arch } = process
    const says = `${version} on ${platform} ${arch}`
    if (platform === 'win32')
      return {
        status: 'broken',
        says,
        advice: 'Use it inside WSL: Windows itself is not supported.',
      }
    return Number.parseInt(version.slice(1), 10) >= OLDEST
      ? { status: 'ok', says }
      : { status: 'broken', says, advice: `Install Node ${OLDEST} or later.` }
  },
}
