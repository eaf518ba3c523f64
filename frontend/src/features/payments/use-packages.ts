import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { PackagesState } from './PackageGrid.tsx'

/** The packages on offer; the same for everybody, signed in or not. */
export function usePackages(): { packages: PackagesState; refetch: () => void } {
  const { data, isError, refetch } = useQuery(api.payments.packages.queryOptions({ staleTime: 5_000 }))
  const again = () => void refetch()
  if (data !== undefined) return { packages: { state: 'known', packages: data.packages }, refetch: again }
  return {
    packages: isError ? { state: 'failed', onRetry: again } : { state: 'loading' },
    refetch: again,
  }
}
