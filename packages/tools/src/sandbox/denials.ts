import type { SandboxName } from '../host/processes.ts'

/** What programs say when a sandbox kept them from something, and what that was. */
const DENIALS: readonly { readonly messages: readonly string[]; readonly note: string }[] = [
  {
    messages: ['Read-only file system', 'EROFS'],
    note: 'This ran in a sandbox, which lets commands write only in the workspace (without its settings and hooks) and in /tmp.',
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
    note: 'This ran in a sandbox, which keeps commands from the network.',
  },
]

/** What the model should know of a failure that a sandbox may be behind. */
export function denialNote(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  sandbox: SandboxName,
): string | undefined {
  if (sandbox === 'none') return undefined
  return DENIALS.find(({ messages }) =>
    messages.some((text) => stderr.includes(text) || stdout.includes(text)),
  )?.note
}
