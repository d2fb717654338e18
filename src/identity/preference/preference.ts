/** Small values that a client stores for its user, such as widths of columns. Users read and change only their own. */
import { userIdOf } from '../../core/actor.ts'
import { type Context, now } from '../../core/context.ts'
import { invalidField, refusal, ServiceError, unauthorized } from '../../core/errors.ts'
import type { Precondition } from '../../core/precondition.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { UserData } from '../../database/data.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import {
  maxPreferenceBytes,
  maxPreferences,
  type Preference,
  preferenceNameRule,
  preferencePattern,
} from './schema.ts'
import {
  countPreferences,
  deletePreference,
  findPreference,
  insertPreference,
  type PreferenceRow,
  preferencesOf,
  updatePreference,
} from './sql.ts'

export interface StoredPreference extends Preference {
  version: number
}

/** Sorted by name. @throws ServiceError `forbidden` for a caller that is no user */
export async function listPreferences(context: Context): Promise<Preference[]> {
  const rows = await preferencesOf(context.catalogue.ofUser(ownerOf(context)))
  return rows.map(toPreference).map(({ version: _version, ...preference }) => preference)
}

/**
 * Sets the preference, which need not exist.
 * @throws ServiceError `invalid` for a name, a value that is too large, or too many; `preconditionFailed`; `forbidden`
 */
export function setPreference(
  context: Context,
  name: string,
  { value, precondition }: { value: unknown; precondition: Precondition },
): Promise<StoredPreference> {
  if (!isName.test(name)) throw invalidField('name', preferenceNameRule, 'badPattern')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > maxPreferenceBytes)
    throw invalidField('value', `must not be larger than ${maxPreferenceBytes / 1024} kB`, {
      code: 'tooLarge',
      parameters: { limit: maxPreferenceBytes / 1024, unit: 'kB' },
    })
  return change(context, name, precondition, async (user, before, moment) => {
    const row = { name, value: text, version: (before?.version ?? 0) + 1, updated_at: moment }
    if (before !== null) await updatePreference(user, row)
    else if ((await countPreferences(user)) >= maxPreferences)
      throw refusal('tooManyPreferences', { limit: maxPreferences })
    else await insertPreference(user, row)
    return toPreference(row)
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, `forbidden` */
export function removePreference(context: Context, name: string, precondition: Precondition): Promise<void> {
  return change(context, name, precondition, async (user, before) => {
    if (before === null) throw refusal('noSuchPreference')
    await deletePreference(user, name)
  })
}

const isName = new RegExp(preferencePattern)

/** Changes a preference while its user is locked, so that simultaneous changes run one after the other. */
function change<T>(
  context: Context,
  name: string,
  precondition: Precondition,
  work: (user: UserData, before: PreferenceRow | null, moment: string) => Promise<T>,
): Promise<T> {
  const userId = ownerOf(context)
  return inCatalogue(context, async (inside) => {
    if ((await lockActiveAccount(inside, userId)) === null) throw new ServiceError('notFound')
    const user = inside.catalogue.ofUser(userId)
    const before = isName.test(name) ? await findPreference(user, name) : null
    precondition?.(before === null ? null : toPreference(before))
    return work(user, before, now(inside))
  })
}

/** @returns the id of the signed-in user, or of the user for whom an API key acts */
function ownerOf({ actor }: Context): string {
  if (actor === null) throw unauthorized('noToken')
  const id = userIdOf(actor)
  if (id === null) throw refusal('preferencesNeedUser')
  return id
}

function toPreference({ name, value, version, updated_at }: PreferenceRow): StoredPreference {
  return { name, value: JSON.parse(value), version, updatedAt: updated_at }
}
