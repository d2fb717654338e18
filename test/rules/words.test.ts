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
}

const saysWhatOthersSay: Rule = ({ visit, lineAt }) => {
  const found: { line: number; text: string }[] = []
  visit({
    Identifier: ({ name, start }) => {
      const standard = Object.hasOwn(retired, name) ? retired[name] : undefined
      if (standard !== undefined) found.push({ line: lineAt(start), text: `${name} is called ${standard}` })
    },
  })
  return found
}

testRule('retired words stay retired', saysWhatOthersSay, {
  folders: ['src'],
  refuses: {
    'a class': ['src/webhooks/a.ts', 'export class Station {}'],
    'a method': ['src/core/a.ts', 'export class Cache { heed(): void {} }'],
  },
  allows: {
    'the standard term': ['src/core/a.ts', 'export class Cache { invalidate(): void {} }'],
    'the word in a text': ['src/core/a.ts', "export const text = 'heed the Station'"],
  },
})
