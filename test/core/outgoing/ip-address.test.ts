/** Refused addresses, in every notation. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AddressPolicy, mayReach } from '../../../src/core/outgoing/ip-address.ts'
import { findUrlFault } from '../../../src/core/outgoing/url.ts'
import { runSeed } from '../../support/run/extent.ts'
import { development } from '../../webhooks/http-attempt.ts'

const production: AddressPolicy = { loopback: false, http: false, allowedNetworks: [] }
const exempting = (address: string, prefix: number, family: 'ipv4' | 'ipv6'): AddressPolicy => {
  const network = new BlockList()
  network.addSubnet(address, prefix, family)
  return { loopback: false, http: false, allowedNetworks: [network] }
}

const refused: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'of carriers (CGNAT)': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local, where clouds keep their metadata': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
  'for protocols, documents and measurements': [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255'],
  "the platform's own": ['168.63.129.16'],
  unspecified: ['::'],
  'unique local': ['fc00::1', 'fd00:ec2::254'],
  'site-local': ['fec0::1'],
  'not given out': ['4000::1', '8000::1', 'e000::1', '100::1', '5f00::1'],
  'mapped from IPv4': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1'],
  'compatible with IPv4': ['::127.0.0.1', '::8.8.8.8'],
  'translated from IPv4': ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::1', '2002:a00:1::', '2002:808:808::1'],
  Teredo: ['2001:0:7f00:1::1', '2001::1'],
}
const reachable = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450::1',
]

describe('An IP address', () => {
  for (const [what, addresses] of Object.entries(refused)) {
    it(`that is ${what} is refused`, () => {
      for (const address of addresses) assert.equal(mayReach(address, production), false, address)
    })
  }

  it('that is public is reached, right up to the edges of the others', () => {
    for (const address of reachable) assert.equal(mayReach(address, production), true, address)
  })

  it('in development may be loopback, and nothing else that is refused', () => {
    for (const address of Object.values(refused).flat()) {
      assert.equal(mayReach(address, development), refused['loopback']?.includes(address), address)
    }
  })

  it('in an exempted network is reached, also mapped; its neighbours are not', () => {
    const policy = exempting('10.1.0.0', 16, 'ipv4')
    for (const address of ['10.1.0.1', '10.1.255.255', '::ffff:10.1.0.1'])
      assert.ok(mayReach(address, policy), address)
    for (const address of ['10.0.255.255', '10.2.0.0', '127.0.0.1', '::ffff:10.2.0.1']) {
      assert.equal(mayReach(address, policy), false, address)
    }
    assert.ok(mayReach('fd00::1', exempting('fd00::', 64, 'ipv6')))
  })

  it('behind an exempted NAT64 prefix is judged as what it translates to', () => {
    const policy = exempting('64:ff9b::', 96, 'ipv6')
    assert.ok(mayReach('64:ff9b::808:808', policy))
    for (const address of ['64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe']) {
      assert.equal(mayReach(address, policy), false, address)
    }
  })
})

const disguises: Record<string, string[]> = {
  'written in decimal': ['2130706433', '167772161', '2852039166'],
  'written in octal': ['0177.0.0.1', '017700000001', '012.0.0.1', '0300.0250.0.1', '127.0.0.01'],
  'written in hexadecimal': ['0x7f000001', '0x7f.0.0.1', '0xA9FEA9FE', '0x7F.0x0.0x0.0x1'],
  'written short': ['127.1', '127.0.1', '10.1', '0', '0x7f.1', '0177.1'],
  'with a dot at the end': ['127.0.0.1.', 'localhost.', 'a.localhost.', '2130706433.'],
  'that is a local name': ['localhost', 'LOCALHOST', 'app.localhost', 'a.b.LocalHost'],
  'with percent signs': ['%31%32%37.0.0.1', '127%2e0%2e0%2e1', 'local%68ost', '%6c%6f%63%61%6c%68%6f%73%74'],
  'in letters of another width': [
    '\uff11\uff12\uff17.0.0.1',
    '127\u30020\u30020\u30021',
    '\u24db\u24de\u24d2alhost',
  ],
  'with invisible characters': ['local\u00adhost', '127.0.0.\u200b1'],
  'mapped from IPv4': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[::FFFF:A9FE:A9FE]',
  ],
  'compatible with IPv4': ['[::127.0.0.1]', '[::7f00:1]'],
  'translated by 6to4, NAT64, SIIT or Teredo': [
    '[2002:7f00:1::]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[2001:0:7f00:1::]',
  ],
  'of IPv6': ['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[fd00::1]', '[fec0::1]', '[ff02::1]'],
}

const refusal = /^must not lead to a (private or reserved|loopback) address, unless WEBHOOK_ALLOWED_NETWORKS /

describe('An address as it is written', () => {
  for (const [what, hosts] of Object.entries(disguises)) {
    it(`${what} does not lead to a private network`, () => {
      for (const host of hosts) {
        for (const end of ['', '/', ':8443/hooks', '?a=b']) {
          const fault = findUrlFault(`https://${host}${end}`, production)
          assert.match(String(fault), refusal, host)
        }
      }
    })
  }

  const malformed: Record<string, string[]> = {
    'must not hold credentials': [
      'https://user:secret@example.com/',
      'https://user@example.com',
      'https://@example.com',
      'https://:@example.com',
      'https://example.com@127.0.0.1/',
    ],
    'must not have port 0': ['https://example.com:0', 'https://example.com:00/a', 'https://8.8.8.8:0'],
    'must name a host': [
      'https://a..example.com',
      'https://example.com..',
      'https://.example.com',
      'https://.',
    ],
    'must be an https address': [
      'example.com',
      '//example.com',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https:\\\\example.com',
      'https://example.com\\@127.0.0.1',
      'https://exam\tple.com',
      'https://exam\nple.com/',
      'https://example.com/a b',
      'https://',
      'https://?a',
      'https://[::1',
      'https://[fe80::1%25eth0]/',
      'https://256.0.0.1',
      'https://1.2.3.4.5',
      'https://example.com:65536',
      'https://example.com:port',
      'ftp://example.com',
      'file:///etc/passwd',
      'gopher://example.com',
      'javascript:alert(1)',
      'data:text/plain,a',
      'ws://example.com',
      '',
    ],
    'must be https': ['http://example.com', 'http://8.8.8.8', 'HTTP://example.com'],
  }
  for (const [fault, urls] of Object.entries(malformed)) {
    for (const url of urls) {
      it(`${JSON.stringify(url)} ${fault}`, () => assert.equal(findUrlFault(url, production), fault))
    }
  }

  it('is accepted when it is public, or a name, which is judged when it is looked up', () => {
    for (const url of [
      'https://example.com',
      'HTTPS://EXAMPLE.COM/Hooks',
      'https://example.com.:8443/a?b=c#d',
      'https://8.8.8.8/',
      'https://134744072/',
      'https://[2606:4700::1111]:8443/',
      'https://b\u00fccher.example/',
      'https://notlocalhost/',
      'https://localhost.example.com/a@b',
      'https://intranet/',
    ]) {
      assert.equal(findUrlFault(url, production), null, url)
    }
  })

  it('in development may be http to loopback, and to nothing else', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'a.localhost', '127.8.8.8', '2130706433']) {
      assert.equal(findUrlFault(`http://${host}:3000/`, development), null, host)
      assert.equal(findUrlFault(`https://${host}:3000/`, development), null, host)
    }
    const none = 'must be an https address, or an http address on loopback'
    for (const url of ['localhost:3000', 'ftp://localhost', ''])
      assert.equal(findUrlFault(url, development), none, url)
    const fault = 'must be https, or http to a loopback address'
    for (const host of ['example.com', '8.8.8.8', 'localhost.example.com']) {
      assert.equal(findUrlFault(`http://${host}`, development), fault, host)
    }
    for (const host of [
      '10.0.0.1',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '169.254.169.254',
    ]) {
      assert.notEqual(findUrlFault(`https://${host}`, development), null, host)
    }
  })

  it('in an exempted network is accepted with https', () => {
    const policy = exempting('10.0.0.0', 8, 'ipv4')
    assert.equal(findUrlFault('https://10.1.2.3/', policy), null)
    assert.equal(findUrlFault('https://0xa.1/', policy), null)
    assert.equal(findUrlFault('http://10.1.2.3/', policy), 'must be https')
    assert.notEqual(findUrlFault('https://192.168.0.1/', policy), null)
  })

  it('of any number is judged as the address that the number means', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (number) => {
        const dotted = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
        const written = [dotted, `${number}`, `0x${number.toString(16)}`, `0${number.toString(8)}`]
        const verdicts = written.map((host) => findUrlFault(`https://${host}/`, production))
        assert.equal(new Set(verdicts).size, 1, dotted)
        assert.equal(verdicts[0] === null, mayReach(dotted, production), dotted)
      }),
      { seed: runSeed },
    )
  })
})
