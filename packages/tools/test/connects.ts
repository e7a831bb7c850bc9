import { Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Counts every connection that this process begins, whoever begins it. */
export function countConnects(): () => number {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  return () => connect.mock.calls.length
}
