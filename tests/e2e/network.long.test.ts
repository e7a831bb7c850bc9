import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { allow, card, ended, send } from './page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { lacks } from '../helpers/abilities.ts'
import { listenUntilEnd } from '../helpers/free-ports.ts'

const missing = await lacks('bubblewrap')

describe.skipIf(missing)('bubblewrap', () => {
  test('the card shows that a command has no network, and can allow it once', async () => {
    const port = await listenUntilEnd(createServer((_request, response) => response.end('reached')))
    const connect = (name: string): string =>
      `node -e "fetch('http://127.0.0.1:${port}').then(async (r) => console.log('${name}', await r.text()))" && npm --version`
    const { page, model } = await openPage({
      script: (_, turn) =>
        turn < 2 ? call('Bash', { command: connect(['first', 'second'][turn]!) }) : 'Done.',
    })
    await send(page, 'Connect.')
    const asking = card(page, 'Bash')
    await asking.getByText(word('approvals.network.sandbox.about')).waitFor()
    await asking.getByRole('radio', { name: word('approvals.network.hosts') }).click()
    const names = asking.getByRole('textbox', { name: word('approvals.network.names') })
    expect(await names.inputValue()).toBe('registry.npmjs.org')
    await asking.getByRole('radio', { name: word('approvals.network.once') }).click()
    await asking.getByText(word('approvals.network.once.about')).waitFor()
    await allow(asking)
    await page.getByText('second').first().waitFor()
    await card(page, 'Bash').getByText(word('approvals.network.sandbox.about')).waitFor()
    await allow(card(page, 'Bash'))
    await ended(page)
    expect(model.requests[1]!.at(-1)!.content).toContain('first reached')
    expect(model.requests[2]!.at(-1)!.content).not.toContain('second reached')
  })
})
