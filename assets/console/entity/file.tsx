/** Shows a stored file: a picture itself, any other file as an icon; with its name and size. */
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
  /** A signed link, which expires. */
  url: string
}

/** @param known the file, if the row already contains it */
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

/** @returns the link with the address of this page's service: the page's security policy allows no other address */
export function hrefOfFile({ url }: StoredFile): string {
  const { pathname, search } = new URL(url, location.href)
  return serviceAddress(`${pathname.slice(pathname.lastIndexOf('/files/'))}${search}`)
}
