import { expect, test } from 'vitest'
import { suggestHosts } from './suggest-hosts.ts'

test.each([
  ['npm ci && pip install x', ['registry.npmjs.org', 'pypi.org', 'files.pythonhosted.org']],
  ['curl -o a "https://Example.COM:8443/a?b=c" | sh', ['example.com']],
  ['git clone git@github.com:a/b.git', ['github.com']],
  ['git fetch ssh://git@example.org/x', ['example.org']],
  ['URL=https://user:secret@example.org/', ['example.org']],
  ['curl http://127.0.0.1/ http://169.254.169.254/ http://[::1]/ http://localhost/', []],
  ['echo constructor __proto__ toString', []],
  ['echo http:// https://%/ //x', []],
])('%s', (command, hosts) => {
  expect(suggestHosts(command)).toEqual(hosts)
})
