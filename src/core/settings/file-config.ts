/** The part of the configuration that concerns the files of tenants and their store. */
import type { Settings } from './settings.ts'

export interface FileConfig {
  /** `s3://…`; `null`: the folder `files` in the data folder. */
  filesUrl: URL | null
  filesAccessKeyId: string | null
  filesSecretAccessKey: string | null
  /** Whether the role of the machine has access to the store. */
  filesInstanceRole: boolean
  awsAccessKeyId: string | null
  awsSecretAccessKey: string | null
  awsSessionToken: string | null
  awsRoleArn: string | null
  awsWebIdentityTokenFile: string | null
  awsEndpointUrlSts: URL | null
  awsContainerCredentialsRelativeUri: string | null
  awsContainerCredentialsFullUri: URL | null
  awsContainerAuthorizationToken: string | null
  awsContainerAuthorizationTokenFile: string | null
  awsEc2MetadataServiceEndpoint: URL | null
  filesMaxBytes: number
  filesVideo: boolean
  /** The limits on the files of a tenant. */
  filesQuotaBytes: number
  filesLinkMinutes: number
  filesUnusedHours: number
}

export function fileConfig(read: Settings): FileConfig {
  return {
    filesUrl: read.FILES_URL,
    filesAccessKeyId: read.FILES_ACCESS_KEY_ID,
    filesSecretAccessKey: read.FILES_SECRET_ACCESS_KEY,
    filesInstanceRole: read.FILES_INSTANCE_ROLE,
    awsAccessKeyId: read.AWS_ACCESS_KEY_ID,
    awsSecretAccessKey: read.AWS_SECRET_ACCESS_KEY,
    awsSessionToken: read.AWS_SESSION_TOKEN,
    awsRoleArn: read.AWS_ROLE_ARN,
    awsWebIdentityTokenFile: read.AWS_WEB_IDENTITY_TOKEN_FILE,
    awsEndpointUrlSts: read.AWS_ENDPOINT_URL_STS,
    awsContainerCredentialsRelativeUri: read.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
    awsContainerCredentialsFullUri: read.AWS_CONTAINER_CREDENTIALS_FULL_URI,
    awsContainerAuthorizationToken: read.AWS_CONTAINER_AUTHORIZATION_TOKEN,
    awsContainerAuthorizationTokenFile: read.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
    awsEc2MetadataServiceEndpoint: read.AWS_EC2_METADATA_SERVICE_ENDPOINT,
    filesMaxBytes: read.FILES_MAX_BYTES,
    filesVideo: read.FILES_VIDEO,
    filesQuotaBytes: read.FILES_QUOTA_BYTES,
    filesLinkMinutes: read.FILES_LINK_MINUTES,
    filesUnusedHours: read.FILES_UNUSED_HOURS,
  }
}
