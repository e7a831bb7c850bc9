import { expect, test } from 'vitest'
import { hostsIn, networkOf, withNetwork, withUse } from './sandbox-page.tsx'

test('reads the network of a setting', () => {
  expect(networkOf(undefined)).toBe('none')
  expect(networkOf({ network: 'host' })).toBe('host')
  expect(networkOf({ network: ['go.dev'] })).toBe('some')
  expect(hostsIn({ network: ['go.dev'] })).toEqual(['go.dev'])
  expect(hostsIn({ network: 'host' })).toEqual([])
})

test('changing one part keeps the other', () => {
  expect(withUse({ network: 'host' }, 'none')).toEqual({ network: 'host', use: 'none' })
  expect(withNetwork({ use: 'bubblewrap' }, ['a.dev'])).toEqual({
    use: 'bubblewrap',
    network: ['a.dev'],
  })
  const paths = { read: ['~/a'], write: ['/b'] }
  expect(withUse({ ...paths, use: 'none' }, 'auto')).toEqual(paths)
  expect(withNetwork({ ...paths, network: 'host' }, 'none')).toEqual(paths)
})

test('does not write defaults', () => {
  expect(withUse({ use: 'none' }, 'auto')).toBeNull()
  expect(withNetwork({ network: 'host' }, 'none')).toBeNull()
  expect(withUse({ use: 'none', network: 'host' }, 'auto')).toEqual({ network: 'host' })
})
