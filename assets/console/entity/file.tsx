/** A stored file: a picture as it is, another by its kind, its name and its size. */
import { FileText, Image as ImageIcon } from 'lucide'
import { get } from '../api.ts'
import { bytesText } from '../component/bytes.ts'
import { Icon } from '../component/icon.tsx'
import { useLoaded } from '../load.ts'
import { serviceAddress } from '../service.ts'

export interface StoredFile {
  id: string
  name: string
  type: string
  size: number
  /** Signed; it expires. */
  url: string
}

/** @param known the file, where the row has it */
export function FileCard({ id, known = null }: { id: string; known?: StoredFile | null }) {
  const { data } = useLoaded<StoredFile | null>(`file/${id}/${known !== null}`, () =>
    known === null ? get<StoredFile>(`/api/files/${id}/link`) : Promise.resolve(known),
  )
  if (data === null) return <code>{id}</code>
  const isImage = data.type.startsWith('image/')
  return (
    <a class="file-card" href={hrefOfFile(data)} target="_blank" rel="noreferrer">
      <span class="file-picture">
        {isImage ? <img src={hrefOfFile(data)} alt="" loading="lazy" /> : <Icon node={FileText} />}
      </span>
      <span class="file-name">
        <Icon node={isImage ? ImageIcon : FileText} />
        <span class="truncate">{data.name}</span>
        <span class="soft figures">{bytesText(data.size)}</span>
      </span>
    </a>
  )
}

/** The link of this service, by whatever name it is reached: the policy of the page allows no other. */
export function hrefOfFile({ url }: StoredFile): string {
  const { pathname, search } = new URL(url, location.href)
  return serviceAddress(`${pathname.slice(pathname.lastIndexOf('/files/'))}${search}`)
}
