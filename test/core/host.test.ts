/** Which spellings of a host are the same host. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostNameOf, isSameHost, originOf } from '../../src/core/host.ts'

describe('The name of a host', () => {
  for (const [host, name] of Object.entries({
    'acme.example.com': 'acme.example.com',
    'ACME.Example.com': 'acme.example.com',
    'acme.example.com.': 'acme.example.com',
    'acme.example.com:8443': 'acme.example.com',
    'acme.example.com.:8443': 'acme.example.com',
    'acme.example.com:': 'acme.example.com',
    'acme.example.com..': 'acme.example.com.',
    '127.0.0.1:3000': '127.0.0.1',
    '[::1]': '[::1]',
    '[::FFFF:127.0.0.1]:3000': '[::ffff:127.0.0.1]',
    '[::1': '[::1',
    '.': '',
    '': '',
  })) {
    it(`in "${host}" is "${name}"`, () => assert.equal(hostNameOf(host), name))
  }
})

describe('The origin of an address', () => {
  for (const [address, origin] of Object.entries({
    'https://example.com': 'https://example.com',
    'HTTPS://Example.com.:443/path?query': 'https://example.com',
    'http://example.com:80': 'http://example.com',
    'http://example.com:443': 'http://example.com:443',
    'https://[::1]:8443': 'https://[::1]:8443',
    'file:///tmp': null,
    null: null,
    '': null,
  })) {
    it(`in "${address}" is ${origin}`, () => assert.equal(originOf(address), origin))
  }
})

describe('A page', () => {
  for (const [origin, host, expected] of [
    ['https://example.com', 'example.com', true],
    ['https://example.com', 'EXAMPLE.com.:443', true],
    ['http://example.com:3000', 'example.com:3000', true],
    ['https://example.com', 'example.com:80', false],
    ['https://example.com.evil.org', 'example.com', false],
    ['https://example.com', '', false],
    ['null', 'null', false],
  ] as const) {
    it(`of ${origin} is ${expected ? '' : 'not '}on the host "${host}"`, () =>
      assert.equal(isSameHost(origin, host), expected))
  }
})
