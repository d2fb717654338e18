/** Links to the rows of other entities that refer to a row. */
import { useApp } from '../app-context.ts'
import { capital, type EntityDescription, labelOf } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'

export function ReferringRows({ entity, id }: { entity: EntityDescription; id: string }) {
  const { entities } = useApp()
  const references = entities.flatMap((other) =>
    other.fields
      .filter((field) => field.kind === 'reference' && field.entity === entity.name)
      .map((field) => ({ other, field })),
  )
  if (references.length === 0) return null
  return (
    <section class="stack" aria-label={text.state.referring}>
      <h2>{text.state.referring}</h2>
      <ul>
        {references.map(({ other, field }) => (
          <li key={`${other.name}.${field.name}`}>
            <a href={hrefOf(`/entities/${other.name}`, { [field.name]: id })}>
              {capital(other.labels)} ({labelOf(field)})
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
