import { expect, test } from 'vitest'
import { addressesOf } from './address.ts'

test('listens only on this machine by default', () => {
  const own = { addresses: ['127.0.0.1', '::1'], isLoopback: true }
  expect(addressesOf(undefined)).toEqual(own)
  expect(addressesOf('localhost')).toEqual(own)
})

test.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.8.9.10', '127.8.9.10', true],
  ['::1', '::1', true],
  ['0:0:0:0:0:0:0:1', '::1', true],
  ['192.168.1.5', '192.168.1.5', false],
  ['2001:DB8::0:1', '2001:db8::1', false],
])('%s is %s', (host, address, isLoopback) => {
  expect(addressesOf(host)).toEqual({ addresses: [address], isLoopback })
})

test.each(['0.0.0.0', '::', '::0', '0:0:0:0:0:0:0:0', '0::0'])(
  '%s must be allowed explicitly',
  (host) => {
    expect(() => addressesOf(host)).toThrow('every network of this machine')
    expect(() => addressesOf(host)).toThrow('dangerouslyListenEverywhere')
    expect(() => addressesOf(host)).toThrow('--dangerously-listen-everywhere')
    expect(addressesOf(host, true).isLoopback).toBe(false)
  },
)

test.each([
  '',
  '0',
  '0x0',
  '127.1',
  '2130706433',
  '::ffff:0.0.0.0',
  '::ffff:0:0',
  'fe80::1%eth0',
  '[::]',
  'example.com',
  '*',
  '127.0.0.1:80',
])('refuses %j, allowed or not', (host) => {
  expect(() => addressesOf(host)).toThrow('an IP address')
  expect(() => addressesOf(host, true)).toThrow('an IP address')
})
