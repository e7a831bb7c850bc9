import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../check.ts'

export const sandbox: Check = {
  name: 'sandbox',
  async run({ workspace: { fileSystem }, terminal }) {
    const { nodeHost } = await import('@toolglot/tools')
    const folder = await mkdtemp(join(tmpdir(), 'toolglot-doctor-'))
    const host = nodeHost({ fileSystem, storage: { folder }, environment: terminal.env })
    try {
      const { name, about, missing } = await host.processes.sandbox()
      const others = missing.map((one) => `${one.name}: ${one.reason}`).join('; ')
      if (name !== 'none')
        return { status: 'ok', says: `${name}. ${about}${others && ` Not used: ${others}`}` }
      const advice = 'Allowed commands run with all your permissions. Install bubblewrap.'
      return { status: 'warning', says: `none works here: ${others}`, advice }
    } finally {
      await host.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
