import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { PackagesState } from './PackageGrid.tsx'

/** The packages on offer; the same for everybody, signed in or not. */
export function usePackages(): PackagesState {
  const { data, isError, refetch } = useQuery(api.payments.packages.queryOptions({ staleTime: 5_000 }))
  if (data !== undefined) return { state: 'known', packages: data.packages }
  return isError ? { state: 'failed', onRetry: () => void refetch() } : { state: 'loading' }
}
