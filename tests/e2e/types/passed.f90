! Arguments of Fortran: by reference but for those that are said to be values.
module passed
  integer :: calls = 0
  type point
    integer :: x
    real(8) :: y
  end type
contains
  subroutine plain(i, r, p)
    integer, intent(in) :: i
    real(8), intent(inout) :: r
    type(point), intent(in) :: p
    r = r + i + p%y
    calls = calls + 1
  end subroutine
  subroutine valued(i, j)
    integer, value :: i
    integer, intent(in) :: j
    calls = calls + i - j
  end subroutine
end module

program main
  use passed
  integer :: i
  real(8) :: sum = 0
  type(point) :: p
  do i = 1, 4
    p%x = 10 * i
    p%y = 0.5
    call plain(i, sum, p)
    call valued(i, 100 + i)
  end do
  print *, sum, calls
end program
