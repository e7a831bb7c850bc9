import type { SandboxName } from '../host/processes.ts'

/** Messages of programs that a sandbox denied something, and what it was. */
const DENIALS: readonly { readonly messages: readonly string[]; readonly note: string }[] = [
  {
    messages: ['Read-only file system', 'EROFS'],
    note: 'This ran in a sandbox: commands can write only to the workspace (but not its settings and hooks) and to /tmp.',
  },
  {
    messages: [
      'Could not resolve host',
      'Temporary failure in name resolution',
      'Network is unreachable',
      'EAI_AGAIN',
      'ENETUNREACH',
      'Connection blocked by network allowlist',
    ],
    note: 'This ran in a sandbox that blocks network access. The user can allow it when asked to approve the command, or in the settings.',
  },
]

/** A note for the model about a failure that the sandbox may have caused. */
export function denialNote(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  sandbox: SandboxName,
): string | undefined {
  if (sandbox === 'none') return undefined
  return DENIALS.find(({ messages }) =>
    messages.some((text) => stderr.includes(text) || stdout.includes(text)),
  )?.note
}
