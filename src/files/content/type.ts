/** The media types that files may have, each with the check of its content. */
import { type ContentCheck, OfficeCheck, PrefixCheck, TextCheck, ZipCheck } from './check.ts'

interface FileType {
  check: () => ContentCheck
  /** Whether browsers may show the file instead of saving it, because it cannot run scripts. */
  isInline?: boolean
}

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])
const ebml = Buffer.from([0x1a, 0x45, 0xdf, 0xa3])
/** The brands of HEIC pictures (ISO/IEC 23008-12, annex B). */
const pictureBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']
/** The brands of MP4 videos (ISO/IEC 14496-12, annex E, and 14496-14), with those of Apple and of Sony. */
const videoBrands = ['isom', 'iso2', 'iso4', 'iso5', 'iso6', 'avc1', 'mp41', 'mp42', 'dash', 'M4V ', 'MSNV']
const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** The accepted types. HTML and SVG are missing because they can run scripts. */
export const fileTypes = {
  'image/png': { check: () => new PrefixCheck([{ bytes: png }]), isInline: true },
  'image/jpeg': { check: () => new PrefixCheck([{ bytes: jpeg }]), isInline: true },
  'image/gif': {
    check: () => new PrefixCheck([{ bytes: Buffer.from('GIF87a') }, { bytes: Buffer.from('GIF89a') }]),
    isInline: true,
  },
  'image/webp': {
    check: () =>
      new PrefixCheck([{ bytes: Buffer.from('RIFF'), and: { at: 8, bytes: Buffer.from('WEBP') } }]),
    isInline: true,
  },
  'image/heic': { check: () => brandCheck(pictureBrands) },
  'image/heif': { check: () => brandCheck(pictureBrands) },
  'video/mp4': { check: () => brandCheck(videoBrands) },
  'video/quicktime': { check: () => brandCheck(['qt  ']) },
  'video/webm': { check: () => new PrefixCheck([{ bytes: ebml }]) },
  'application/pdf': { check: () => new PrefixCheck([{ bytes: Buffer.from('%PDF-') }]) },
  'application/zip': { check: () => new ZipCheck() },
  [`${office}.wordprocessingml.document`]: { check: () => new OfficeCheck('word/') },
  [`${office}.spreadsheetml.sheet`]: { check: () => new OfficeCheck('xl/') },
  [`${office}.presentationml.presentation`]: { check: () => new OfficeCheck('ppt/') },
  [`${openDocument}.text`]: { check: () => openDocumentCheck('text') },
  [`${openDocument}.spreadsheet`]: { check: () => openDocumentCheck('spreadsheet') },
  [`${openDocument}.presentation`]: { check: () => openDocumentCheck('presentation') },
  'text/plain': { check: () => new TextCheck() },
  'text/csv': { check: () => new TextCheck() },
  'text/markdown': { check: () => new TextCheck() },
  'application/json': { check: () => new TextCheck() },
} as const satisfies Record<string, FileType>

export type KnownFileType = keyof typeof fileTypes

/** Other names under which clients send these types. Windows with Excel sends CSV as `application/vnd.ms-excel`. */
const otherNames = new Map<string, KnownFileType>([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
  ['application/x-zip', 'application/zip'],
  ['application/x-zip-compressed', 'application/zip'],
  ['application/csv', 'text/csv'],
  ['application/vnd.ms-excel', 'text/csv'],
  ['text/x-csv', 'text/csv'],
  ['video/x-m4v', 'video/mp4'],
  ['text/x-markdown', 'text/markdown'],
])

/** @param given in any case, without parameters @returns `null` for a type that is not accepted */
export function knownTypeOf(given: string): KnownFileType | null {
  const type = given.toLowerCase()
  if (isFileType(type)) return type
  return otherNames.get(type) ?? null
}

/** Whether the service accepts the type only if `FILES_VIDEO` is set. */
export function isVideo(type: KnownFileType): boolean {
  return type.startsWith('video/')
}

export function isFileType(type: string): type is KnownFileType {
  return Object.hasOwn(fileTypes, type)
}

export function checkOf(type: KnownFileType): ContentCheck {
  return fileTypes[type].check()
}

export function isInline(type: string): boolean {
  return isFileType(type) && (fileTypes[type] as FileType).isInline === true // the types are constants
}

/** Checks the brand, which the first box of the content names (ISO/IEC 14496-12, section 4.3). */
function brandCheck(brands: readonly string[]): ContentCheck {
  const empty = Buffer.alloc(0)
  return new PrefixCheck(
    brands.map((brand) => ({ bytes: empty, and: { at: 4, bytes: Buffer.from(`ftyp${brand}`) } })),
  )
}

/** Checks the first entry, which is `mimetype` without compression (OpenDocument 1.3, part 2, section 3.3). */
function openDocumentCheck(kind: string): ContentCheck {
  const bytes = Buffer.from('PK\x03\x04', 'latin1')
  return new PrefixCheck([{ bytes, and: { at: 30, bytes: Buffer.from(`mimetype${openDocument}.${kind}`) } }])
}
