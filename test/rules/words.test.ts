/** Words that were given up for the standard terms of the field. */
import { type Rule, testRule } from './rule.ts'

/** What is said in their place. */
const retired: Record<string, string> = {
  Station: 'QueueWorker',
  Attendance: 'PendingTenants',
  Doorkeeper: 'SessionMonitor',
  Guest: 'MonitoredSession',
  Tally: 'Counter',
  CallForHelp: 'PeerNotifier',
  Agenda: 'DueIndex',
  VoidLeases: 'StaleLeases',
  heed: 'invalidate',
  openApart: 'openDedicated',
  quieten: 'drainDeliveries',
  Engine: 'QueueWorkers',
  Slots: 'DeliveryLimiter',
  SlotLimits: 'DeliveryLimits',
  Lane: 'QueueKey',
  Line: 'QueueKey',
  Grant: 'KeyPermits',
  allot: 'acquirePermits',
  pull: 'claimBatch',
  sift: 'filterBySubscription',
  draw: 'applyHealth',
  Pause: 'Throttle',
  Exchange: 'HttpAttempt',
  sealSecrets: 'encryptSecrets',
  openSecrets: 'decryptSecrets',
  rowsInPlaceOf: 'findConflictingRows',
  closeTo: 'fence',
  openTo: 'unfence',
  forgetBytes: 'rewriteFiles',
  resealAll: 'reencryptAll',
  resealDatabase: 'reencryptDatabase',
  heardWithinMs: 'changePropagationMs',
  whateverIsThere: 'allowUnknownTables',
  tellRefusal: 'rethrowFileError',
  besideOwn: 'archivedFromShared',
  ofInstallation: 'installationTables',
  isOneWorld: 'isSameServer',
  BackupWish: 'BackupOptions',
  RestoreWish: 'RestoreOptions',
  anew: 'again',
  mostItems: 'maxItems',
  Sealer: 'SecretBox',
  sealer: 'secretBox',
  CannotUnseal: 'CannotDecrypt',
  sealingFeature: 'encryptionFeature',
  Once: 'Idempotency',
  doOnce: 'withIdempotency',
  SnapshotMark: 'SnapshotCursor',
  presentMark: 'currentCursor',
  refuseForeignMark: 'refuseForeignCursor',
  joinRows: 'joinRelatedRows',
  behindOneWay: 'rowComparison',
  BudgetMember: 'BudgetedPool',
  Notices: 'ChangeNotifications',
  Reads: 'SnapshotReader',
  Writes: 'GroupCommitWriter',
  LoneSqlite: 'ExclusiveSqliteDatabase',
  openSqliteAlone: 'openSqliteExclusively',
  lookInto: 'openForInspection',
  openToLook: 'openForInspection',
  tellsOfDamage: 'isDamage',
  TurnQueue: 'FairQueue',
  SharedTurns: 'TurnScheduler',
  ReadSlots: 'ReadLimiter',
  Occasional: 'LogThrottle',
  tellUnknownNames: 'reportUnknownNames',
  AttendedTable: 'PendingTenantTable',
  TenantElsewhere: 'TenantMoved',
  WriteProof: 'WriteCheck',
  openNothing: 'openEmpty',
  isAnythingUpTo: 'hasRowsUpTo',
  readOnce: 'withoutDuplicates',
  lookedUp: 'equalByIndex',
  formerMasterKeys: 'previousMasterKeys',
  AbsentKey: 'MissingKey',
  wakeFollowers: 'wakeSubscribers',
  bringDigestKey: 'storeDigestKey',
  searchedFor: 'subscriptionSearchTexts',
  awaitDispatch: 'markForDispatch',
  Following: 'SubscriptionCaller',
  AskedDocument: 'RequestedDocument',
  expelled: 'onUnauthorized',
  Stretch: 'PieceRequest',
}

/** Bounds and defaults say which they are. */
const retiredBound = /^(most|longest|shortest|usual)[A-Z]/

const saysWhatOthersSay: Rule = ({ visit, lineAt }) => {
  const found: { line: number; text: string }[] = []
  visit({
    Identifier: ({ name, start }) => {
      const standard = Object.hasOwn(retired, name) ? retired[name] : undefined
      if (standard !== undefined) found.push({ line: lineAt(start), text: `${name} is called ${standard}` })
      if (retiredBound.test(name))
        found.push({ line: lineAt(start), text: `${name} begins with max, min or default` })
    },
  })
  return found
}

testRule('retired words stay retired', saysWhatOthersSay, {
  folders: ['src'],
  refuses: {
    'a class': ['src/webhooks/a.ts', 'export class Station {}'],
    'a method': ['src/core/a.ts', 'export class Cache { heed(): void {} }'],
    'a bound': ['src/service/a.ts', 'const mostRows = 1'],
  },
  allows: {
    'the standard term': ['src/core/a.ts', 'export class Cache { invalidate(): void {} }'],
    'the standard bound': ['src/core/a.ts', 'const maxRows = 1'],
    'the word in a text': ['src/core/a.ts', "export const text = 'heed the Station'"],
  },
})
