/**
 * Decides whether a database is the one that the catalogue knows as a tenant's own. Each database has an id, the id of
 * its installation, and a generation: a number that grows with each opening and closing, by which older copies are
 * recognized.
 */
import { type DatabaseIdentity, DatabaseLost } from '../database/executor.ts'

/** What the catalogue knows of a tenant's database; `null` if it was created before databases had identities. */
export type KnownDatabase = {
  /** `null` until the database is created. */
  id: string | null
  generation: number
} | null

/**
 * What is found where the database should be. `null`: no database, or one without tables. `unidentified`: a
 * database from before databases had identities.
 */
export type FoundDatabase = DatabaseIdentity | 'unidentified' | null

/** Accepts or refuses what was found, before anything is written. @throws DatabaseLost */
export type Admit = (found: FoundDatabase, installation: string) => void

/** Admits a tenant's own database. A missing one may be created only if the catalogue says that it never was. */
export function admitKnown(known: KnownDatabase): Admit {
  return (found, installation) => {
    if (found === null && known?.id !== null) throw missing()
    if (found === null || known === null || known.id === null) return admitNew(found, installation)
    const isKnown = found !== 'unidentified' && found.id === known.id && found.installation === installation
    if (!isKnown) throw foreign()
    if (found.generation < known.generation) throw stale()
  }
}

/** Admits a new database for a tenant, unless it is of another installation. It may be created. */
export const admitNew: Admit = (found, installation) => {
  if (found === null || found === 'unidentified' || found.installation === installation) return
  throw new DatabaseLost('foreign', 'The database is of another installation.')
}

/** Admits any database that exists. A missing one may not be created. */
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
