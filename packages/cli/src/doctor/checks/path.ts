import type { Check } from '../check.ts'

export const path: Check = {
  name: 'PATH',
  async run({ workspace: { folder }, terminal }) {
    const { untrustedPathFolders } = await import('@toolglot/tools/internal')
    const foreign = untrustedPathFolders(terminal.env['PATH'] ?? '', [folder])
    if (foreign.length === 0) return { status: 'ok', says: 'contains no folders of the workspace' }
    const names = foreign.map((folder) => folder || "''").join(', ')
    return {
      status: 'warning',
      says: `has ${names}: files in the workspace can replace any command, such as git`,
      advice: 'Remove it if you do not trust the workspace. npx adds node_modules/.bin.',
    }
  },
}
