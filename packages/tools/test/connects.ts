import { Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Counts all connections that this process opens. */
export function countConnects(): () => number {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  return () => connect.mock.calls.length
}
