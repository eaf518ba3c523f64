export type ProcessIdentity = { pid: number; startedAt?: string | undefined }
export declare const startOf: (pid: number) => string | undefined
export declare const identityOf: (pid: number) => ProcessIdentity
export declare const isRunning: (identity: ProcessIdentity | undefined) => boolean
export declare const takeLock: (file: string) => { release: () => void } | { heldBy: number }
