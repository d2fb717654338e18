/** Whether a database is the one that the catalogue knows as a tenant's own. */
import { type DatabaseIdentity, DatabaseLost } from '../database/executor.ts'

/** What the catalogue knows of a database; `null` for a tenant from before databases had identities. */
export type KnownDatabase = {
  /** `null` until the database is created. */
  id: string | null
  generation: number
} | null

/**
 * What is in the place of a database. `null`: none, or one without tables. `unidentified`: one from before databases had
 * identities.
 */
export type FoundDatabase = DatabaseIdentity | 'unidentified' | null

/** Accepts or refuses what was found, before anything is written. @throws DatabaseLost */
export type Admit = (found: FoundDatabase, installation: string) => void

/** Admits a tenant's own database. It is created only if the catalogue says that it never was. */
export function admitKnown(known: KnownDatabase): Admit {
  return (found, installation) => {
    if (found === null && known?.id !== null) throw missing()
    if (found === null || known === null || known.id === null) return admitNew(found, installation)
    const isKnown = found !== 'unidentified' && found.id === known.id && found.installation === installation
    if (!isKnown) throw foreign()
    if (found.generation < known.generation) throw stale()
  }
}

/** Admits a database that somebody names for a tenant. It is created if it does not exist. */
export const admitNew: Admit = (found, installation) => {
  if (found === null || found === 'unidentified' || found.installation === installation) return
  throw new DatabaseLost('foreign', 'The database is of another installation.')
}

/** Admits any database that exists: this one has been created already. */
export const admitExisting: Admit = (found) => {
  if (found === null) throw missing()
}

function missing(): DatabaseLost {
  return new DatabaseLost(
    'missing',
    'The database is missing: it was created before, and is not there or has no tables. It is not created again.',
  )
}

function foreign(): DatabaseLost {
  return new DatabaseLost('foreign', 'The database is not the one of this tenant: it has another identity.')
}

function stale(): DatabaseLost {
  return new DatabaseLost(
    'stale',
    'The database is older than the catalogue says: it was restored from an earlier copy.',
  )
}
