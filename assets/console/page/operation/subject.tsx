/** The subject of an audit record, by name if the console knows it. */
import { useApp } from '../../app-context.ts'
import { capital, titleOf, words } from '../../describe.ts'
import { loadRow } from '../../entity/rows.ts'
import { UserName } from '../../entity/user-reference.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'

/** Matches an id, which is shortened because nobody reads it. A name is not. */
const shortened = /^([\da-f]{8}-[\da-f]{4})-.*/

export function Subject({ type, id }: { type: string; id: string | null }) {
  const entity = useApp().entities.find(({ name }) => name === type)
  const { data } = useLoaded(`${type} ${id}`, async () =>
    entity === undefined || id === null ? null : loadRow(entity, id),
  )
  if (id !== null && type === 'user')
    return (
      <>
        {words(type)} <UserName id={id} />
      </>
    )
  if (entity === undefined || data === null)
    return (
      <>
        {words(type)} <code class="soft">{id?.replace(shortened, '$1')}</code>
      </>
    )
  return (
    <>
      {capital(entity.label)} <a href={hrefOf(`/entities/${type}/${data.id}`)}>{titleOf(entity, data)}</a>
    </>
  )
}
