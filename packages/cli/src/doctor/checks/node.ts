import type { Check } from '../check.ts'

const MIN_NODE_VERSION = 20

export const node: Check = {
  name: 'Node',
  run() {
    const { version, platform, arch } = process
    const says = `${version} on ${platform} ${arch}`
    if (platform === 'win32')
      return {
        status: 'broken',
        says,
        advice: 'Windows is not supported. Use WSL.',
      }
    return Number.parseInt(version.slice(1), 10) >= MIN_NODE_VERSION
      ? { status: 'ok', says }
      : { status: 'broken', says, advice: `Install Node ${MIN_NODE_VERSION} or later.` }
  },
}
