/**
 * A schema designed to do harm. The server refuses tools of MCP servers with such a schema, but the
 * page must not rely on that.
 */
export function hostileSchema({ depth, isWorst }: { depth: number; isWorst: boolean }): object {
  const deep = Array.from({ length: depth }).reduce<object>(
    (inside) => ({
      type: 'object',
      required: ['a'],
      properties: { a: inside, b: { type: 'string' } },
    }),
    { type: 'string' },
  )
  const doubled = Array.from({ length: 60 }, (_, at): [string, object] => [
    `a${at}`,
    { anyOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
  ])
  const many = Array.from({ length: 1000 }, (_, at): [string, object] => [
    `p${at}`,
    { type: 'string', ...(at < 5 && { description: '<img src=x onerror=alert(1)>' }) },
  ])
  return {
    type: 'object',
    $defs: {
      ...Object.fromEntries(doubled),
      one: { $ref: '#/$defs/two' },
      two: { $ref: '#/$defs/one' },
    },
    required: ['deep', 'bomb', 'slow'],
    properties: Object.fromEntries([
      ...(isWorst
        ? [
            ['__proto__', { type: 'string' }],
            ['constructor', { type: 'string' }],
            ['remote', { $ref: 'http://127.0.0.1:9/schema.json' }],
            ['circle', { $ref: '#/$defs/one' }],
          ]
        : []),
      ['deep', deep],
      ['bomb', isWorst ? { $ref: '#/$defs/a0' } : {}],
      ['self', { $ref: '#' }],
      [
        'slow',
        { type: 'string', pattern: '^(a+)+$', title: '\u202eevil', default: { toString: 1 } },
      ],
      ...many,
    ]) as object,
  }
}

/**
 * The code of an MCP server whose only tool has such a schema, the worst one that the server
 * accepts.
 */
export function hostileServer(): string {
  const { $defs: _, ...inputSchema } = hostileSchema({ depth: 8, isWorst: false }) as {
    $defs: unknown
  }
  const tool = { name: 'harm', description: '<script>alert(1)</script>', inputSchema }
  return `
let rest = ''
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n')
  rest = lines.pop()
  for (const line of lines.filter(Boolean)) {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) continue
    const result = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'evil', version: '1' } },
      'tools/list': { tools: [${JSON.stringify(tool)}] },
      'tools/call': { content: [{ type: 'text', text: 'called ' + JSON.stringify(params?.arguments) }] },
    }[method] ?? {}
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  }
})
`
}
