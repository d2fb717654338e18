import { type Static, Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../core/schema/schema.ts'
import type { FileTable } from './table.ts'

export const maxNameLength = 255
const name = Text(1, maxNameLength, { description: 'As uploaded', examples: ['invoice.pdf'] })
const type = Type.String({
  maxLength: 100,
  description: 'The media type, which the content has been compared with',
  examples: ['application/pdf'],
})
const size = Type.Integer({ minimum: 1, description: 'In bytes', examples: [48_213] })
const url = Type.String({
  maxLength: 2048,
  description: 'A signed link that needs no token and expires',
  examples: ['http://localhost:3000/files/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11?tenant=acme'],
})

/** What REST returns for a file. */
export const FileReply = Type.Object(
  { id: { ...Uuid, description: 'Assigned by the service' }, name, type, size, url },
  { $id: 'File', description: 'A file of the tenant. Its content never changes.' },
)

/** What GraphQL reads from the table. */
export const FileRow = Type.Object(
  { id: Uuid, name, type, size, createdAt: Timestamp },
  {
    $id: 'File',
    description: 'A file of the tenant. Its content never changes, and is read at `/api/files/{id}`.',
  },
)

export const UploadQuery = Type.Object({
  name: Type.Optional(
    Text(1, maxNameLength, {
      description: 'The name of the file; required unless the body is a form',
      examples: ['invoice.pdf'],
    }),
  ),
})

export const LinkQuery = Type.Object({
  expires: Type.Optional(
    Type.String({ maxLength: 12, description: 'Seconds of Unix time', examples: ['1769851800'] }),
  ),
  signature: Type.Optional(
    Type.String({ maxLength: 64, description: 'Of tenant, file and expiry', examples: ['q1w2e3'] }),
  ),
})

export type FileReply = Static<typeof FileReply>

/** A row of the table. */
export type StoredFile = Omit<FileTable, 'tenant_id'>
