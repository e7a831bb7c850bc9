/** Why a command would end the program that runs it, or undefined. A guard against accidents, not against malice. */
export function killsUs(
  command: string,
  us: { readonly pid: number; readonly names: readonly string[] },
): string | undefined {
  for (const part of command.split(/[|;&\n()`]+/)) {
    const [first, ...words] = part.trim().split(/\s+/)
    const program = first === 'sudo' ? words.shift() : first
    const targets = words.map((word) => word.replace(/^["']|["']$/g, ''))
    if (program === 'kill') {
      const target = targets.find((word) => ours(us.pid).has(word))
      if (target) return `kill ${target} would end the program that runs this command`
    }
    if (program === 'pkill' || program === 'killall') {
      const target = targets.find((word) => us.names.includes(word))
      if (target) return `${program} ${target} would end the program that runs this command, too`
    }
  }
  return undefined
}

function ours(pid: number): ReadonlySet<string> {
  return new Set([`${pid}`, `-${pid}`, '$PPID', '-$PPID', '${PPID}'])
}
