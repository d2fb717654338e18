/** Names that say something else than what they stand for, and were given up for the standard terms of the field. */
import type { Rule } from './rule.ts'

/** What is said in their place, and why. */
const misleading: Readonly<Record<string, string>> = {
  sealSecrets: 'encryptSecrets: a sealed box is encrypted for a public key',
  openSecrets: 'decryptSecrets',
  Sealer: 'SecretBox: a sealed box is encrypted for a public key',
  sealer: 'secretBox: a sealed box is encrypted for a public key',
  sealingFeature: 'encryptionFeature: a sealed box is encrypted for a public key',
  resealAll: 'reencryptAll: a sealed box is encrypted for a public key',
  resealDatabase: 'reencryptDatabase: a sealed box is encrypted for a public key',
  CannotUnseal: 'CannotDecrypt: a sealed box is encrypted for a public key',
  doOnce: 'withIdempotency: the work of a failed request is done again',
  awaitDispatch: 'markForDispatch: it waits for nothing',
  closeTo: 'fence: nothing is closed',
  openTo: 'unfence: nothing is opened',
  forgetBytes: 'rewriteFiles: the bytes go from the disk',
  SnapshotMark: 'SnapshotCursor: the place in a list is called a cursor',
  presentMark: 'currentCursor: the place in a list is called a cursor',
  refuseForeignMark: 'refuseForeignCursor: the place in a list is called a cursor',
  formerMasterKeys: 'previousMasterKeys, as the setting is called',
  foldedColumn: 'caseFoldedColumn: nothing but the case is folded',
  maxHops: 'maxLoopCount: the members and the header that are called hops count webhooks in a row',
  heldBytes: 'usedBytes',
  walk: 'visit, scan or sweep',
}

/** Bounds and defaults say which they are. */
const vagueBound = /^(most|longest|shortest|usual)[A-Z]/

export const wordsMisleadNobody: Rule = {
  name: 'names mislead nobody',
  mend: 'Rename it as it says.',
  folders: ['src'],
  check: (_source, report) => ({
    Identifier: ({ name, start }) => {
      if (Object.hasOwn(misleading, name)) report(start, `${name} is called ${misleading[name]}`)
      if (vagueBound.test(name)) report(start, `${name} begins with max, min or default`)
    },
  }),
  refuses: {
    'a function': ['src/core/a.ts', 'export function doOnce(): void {}'],
    'a method': ['src/core/a.ts', 'export class Outbox { awaitDispatch(): void {} }'],
    'a bound': ['src/service/a.ts', 'const mostRows = 1'],
  },
  allows: {
    'the standard term': ['src/core/a.ts', 'export function withIdempotency(): void {}'],
    'the standard bound': ['src/core/a.ts', 'const maxRows = 1'],
    'the word in a text': ['src/core/a.ts', "export const text = 'doOnce'"],
  },
}
