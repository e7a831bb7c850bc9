import type { Check } from '../check.ts'

export const languageServers: Check = {
  name: 'language servers',
  async run({ workspace: { folder, trust }, terminal }) {
    const { findLanguageServer, languageServers: servers } =
      await import('@toolglot/tools/internal')
    const options = {
      path: terminal.env['PATH'] ?? '',
      roots: [folder],
      trusted: trust === 'trusted',
    }
    const found = servers.filter((server) => 'program' in findLanguageServer(server, options))
    const others = servers.filter((server) => !found.includes(server)).map(({ name }) => name)
    const advice = `To use the LSP tool, install one of ${others.join(', ')}.`
    return found.length > 0
      ? { status: 'ok', says: found.map(({ name }) => name).join(', ') }
      : { status: 'missing', says: 'none on the PATH', advice }
  },
}
