import type { Check } from '../check.ts'

export const path: Check = {
  name: 'PATH',
  async look({ workspace: { folder }, terminal }) {
    const { untrustedPathFolders } = await import('@toolglot/tools/internal')
    const foreign = untrustedPathFolders(terminal.env['PATH'] ?? '', [folder])
    if (foreign.length === 0) return { status: 'ok', says: 'without folders of the workspace' }
    const names = foreign.map((folder) => folder || "''").join(', ')
    return {
      status: 'warning',
      says: `has ${names}: what the workspace brings runs in commands under any name, such as git`,
      advice: 'Take it out, if the workspace is not yours. npx puts node_modules/.bin there.',
    }
  },
}
